// Appends fixes as values of a table of PostgreSQL: a prepared INSERT where a batch is one fix,
// else one COPY in binary form a batch; a transaction each.
//
//     append_postgresql CONNECTION BATCH BATCHES
#include "fixes.h"
#include <arpa/inet.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <time.h>

static PGconn *connection;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void require(int is_done) {
    if (is_done) return;
    fprintf(stderr, "append_postgresql: %s\n", PQerrorMessage(connection));
    exit(1);
}

static void finish(PGresult *result, ExecStatusType expected) {
    require(PQresultStatus(result) == expected);
    PQclear(result);
}

static void insert_one(uint64_t index) {
    uint8_t blob[BLOB_BYTES];
    const char *values[] = {(const char *)blob};
    const int lengths[] = {BLOB_BYTES}, formats[] = {1};
    write_blob(blob, index);
    finish(PQexecPrepared(connection, "append", 1, values, lengths, formats, 1), PGRES_COMMAND_OK);
}

static void copy_batch(uint64_t first, uint64_t batch) {
    static const char head[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
    struct __attribute__((packed)) {
        uint16_t fields;
        uint32_t length;
        uint8_t blob[BLOB_BYTES];
    } row = {htons(1), htonl(BLOB_BYTES), {0}};
    finish(PQexec(connection, "COPY events (entry) FROM STDIN BINARY"), PGRES_COPY_IN);
    require(PQputCopyData(connection, head, 19) == 1);
    for (uint64_t index = 0; index < batch; index++) {
        write_blob(row.blob, first + index);
        require(PQputCopyData(connection, (const char *)&row, sizeof row) == 1);
    }
    require(PQputCopyData(connection, "\377\377", 2) == 1);
    require(PQputCopyEnd(connection, NULL) == 1);
    finish(PQgetResult(connection), PGRES_COMMAND_OK);
    require(PQgetResult(connection) == NULL);
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    uint64_t batch = number_argument(arguments[2]), batches = number_argument(arguments[3]);
    connection = PQconnectdb(arguments[1]);
    require(PQstatus(connection) == CONNECTION_OK);
    finish(PQexec(connection, "DROP TABLE IF EXISTS events"), PGRES_COMMAND_OK);
    finish(PQexec(connection, "CREATE TABLE events (position BIGSERIAL PRIMARY KEY, entry BYTEA)"),
           PGRES_COMMAND_OK);
    finish(PQprepare(connection, "append", "INSERT INTO events (entry) VALUES ($1)", 1, NULL),
           PGRES_COMMAND_OK);
    double start = seconds_now();
    for (uint64_t number = 0; number < batches; number++) {
        if (batch == 1) {
            insert_one(number);
        } else {
            copy_batch(number * batch, batch);
        }
    }
    printf("%.6f\n", seconds_now() - start);
    PQfinish(connection);
    return 0;
}
