#pragma once
#include <MQTTAsync.h>
#include <string.h>

// Options begin as the library's macros make them, which Swift does not see. Empty texts are none.
static inline int ledger_makeClient(MQTTAsync *client, const char *address, const char *name) {
    return MQTTAsync_create(client, address, name, MQTTCLIENT_PERSISTENCE_NONE, NULL);
}
static inline const char *ledger_textOrNone(const char *text) { return *text ? text : NULL; }
static inline int ledger_connect(
    MQTTAsync client, const char *user, const char *password, const char *authorities,
    const char *lastTopic, const char *lastWord, int isSecure, int keepAliveSeconds,
    MQTTAsync_onSuccess *onSuccess, MQTTAsync_onFailure *onFailure, void *context
) {
    MQTTAsync_connectOptions options = MQTTAsync_connectOptions_initializer;
    MQTTAsync_willOptions last = MQTTAsync_willOptions_initializer;
    MQTTAsync_SSLOptions secure = MQTTAsync_SSLOptions_initializer;
    options.keepAliveInterval = keepAliveSeconds;
    // The broker keeps what comes while this program does not run.
    options.cleansession = 0;
    options.MQTTVersion = MQTTVERSION_3_1_1;
    options.username = ledger_textOrNone(user);
    options.password = ledger_textOrNone(password);
    last.topicName = lastTopic;
    last.message = lastWord;
    last.retained = 1;
    last.qos = 1;
    options.will = &last;
    if (isSecure) {
        secure.enableServerCertAuth = 1;
        secure.verify = 1;
        secure.trustStore = ledger_textOrNone(authorities);
        options.ssl = &secure;
    }
    options.onSuccess = onSuccess;
    options.onFailure = onFailure;
    options.context = context;
    return MQTTAsync_connect(client, &options);
}
static inline int ledger_subscribe(
    MQTTAsync client, const char *topic, MQTTAsync_onSuccess *onSuccess,
    MQTTAsync_onFailure *onFailure, void *context
) {
    MQTTAsync_responseOptions options = MQTTAsync_responseOptions_initializer;
    options.onSuccess = onSuccess;
    options.onFailure = onFailure;
    options.context = context;
    return MQTTAsync_subscribe(client, topic, 1, &options);
}
static inline int ledger_publish(
    MQTTAsync client, const char *topic, const void *bytes, int count
) {
    MQTTAsync_message message = MQTTAsync_message_initializer;
    message.payload = (void *)bytes;
    message.payloadlen = count;
    message.qos = 1;
    message.retained = 1;
    return MQTTAsync_sendMessage(client, topic, &message, NULL);
}
static inline int ledger_failureCode(const MQTTAsync_failureData *failure) {
    return failure ? failure->code : -1;
}
static inline size_t ledger_topicLength(const char *topic, int length) {
    return length > 0 ? (size_t)length : strlen(topic);
}
