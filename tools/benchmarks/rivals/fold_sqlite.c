// The same fold over entries that are blobs in a table of SQLite; or, to make that table, copies a
// ledger's log into it.
//
//     fold_sqlite FILE VIEWS
//     fold_sqlite --copy LEDGER/log FILE
#include "fold.h"
#include <sqlite3.h>

static sqlite3 *database;

static void expect(bool is_done) {
    if (!is_done) fail("fold_sqlite: %s", sqlite3_errmsg(database));
}

static void copy(const char *log, const char *file) {
    block_reader reader = read_blocks(log);
    sqlite3_stmt *insert;
    const uint8_t *block;
    size_t size;
    expect(sqlite3_open(file, &database) == SQLITE_OK);
    expect(sqlite3_exec(database,
                        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                        "CREATE TABLE events (position INTEGER PRIMARY KEY, entry BLOB NOT NULL);"
                        "BEGIN", NULL, NULL, NULL) == SQLITE_OK);
    expect(sqlite3_prepare_v2(database, "INSERT INTO events (entry) VALUES (?)", -1, &insert, NULL)
           == SQLITE_OK);
    while ((block = next_block(&reader, &size))) {
        for (size_t at = HEADER_BYTES; at < size; at += entry_bytes(block + at)) {
            int length = (int)entry_bytes(block + at);
            sqlite3_bind_blob(insert, 1, block + at, length, SQLITE_STATIC);
            expect(sqlite3_step(insert) == SQLITE_DONE);
            sqlite3_reset(insert);
        }
        forget(&reader, block, size);
    }
    expect(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_finalize(insert);
    expect(sqlite3_close(database) == SQLITE_OK);
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--copy") == 0) {
        copy(arguments[2], arguments[3]);
        return 0;
    }
    if (count != 3) fail("usage: fold_sqlite FILE VIEWS");
    sqlite3_stmt *select;
    int status;
    begin_fold(arguments[2], false);
    expect(sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    expect(sqlite3_prepare_v2(database, "SELECT entry FROM events ORDER BY position", -1, &select,
                              NULL) == SQLITE_OK);
    while ((status = sqlite3_step(select)) == SQLITE_ROW) {
        take_entry(sqlite3_column_blob(select, 0), (size_t)sqlite3_column_bytes(select, 0));
    }
    expect(status == SQLITE_DONE);
    finish_fold();
    return 0;
}
