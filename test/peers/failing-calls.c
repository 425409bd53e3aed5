/*
 * Preloaded into a process, makes one of its system calls on the files below a folder fail, or all from one on. A file
 * that is mapped into memory says which, so that the process itself sets it, and counts the calls.
 * LevelDB reads and writes through stdio, whose functions stand for the calls that libc makes inside of itself. Reads of
 * mapped memory are not calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, SYNC, RENAME, KINDS };
enum { MAX_FDS = 65536, FOLDER_BYTES = 512 };

struct control {
  int32_t kind;
  int32_t error;
  int32_t at;
  int32_t isForever;
  _Atomic int32_t counts[KINDS];
  _Atomic int32_t hits;
  char folder[FOLDER_BYTES];
};

static struct control *control;
static _Atomic char watched[MAX_FDS];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAILING_CALLS");
  if (path == NULL) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) abort();
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) abort();
  control = mapped;
}

static int isBelow(const char *path) {
  if (control == NULL || path == NULL || control->folder[0] == 0) return 0;
  size_t length = strlen(control->folder);
  return strncmp(path, control->folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int isWatched(int fd) { return fd >= 0 && fd < MAX_FDS && watched[fd]; }

/* Counts a call; 1 and errno when it is to fail. */
static int fails(int kind) {
  int number = ++control->counts[kind];
  if (control->kind != kind || control->error == 0) return 0;
  if (control->isForever ? number < control->at : number != control->at) return 0;
  control->hits++;
  errno = control->error;
  return 1;
}

static int opened(int fd, const char *path) {
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = isBelow(path);
  return fd;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPENING(name)                                                   \
  int name(const char *path, int flags, ...) {                          \
    va_list list;                                                       \
    va_start(list, flags);                                              \
    mode_t mode = va_arg(list, mode_t);                                 \
    va_end(list);                                                       \
    if (isBelow(path) && fails(OPEN)) return -1;                        \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);      \
    return opened(real(path, flags, mode), path);                       \
  }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                \
  int name(int at, const char *path, int flags, ...) {                  \
    va_list list;                                                       \
    va_start(list, flags);                                              \
    mode_t mode = va_arg(list, mode_t);                                 \
    va_end(list);                                                       \
    if (isBelow(path) && fails(OPEN)) return -1;                        \
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
    return opened(real(at, path, flags, mode), path);                   \
  }
OPENING_AT(openat)
OPENING_AT(openat64)

#define CALL(type, name, kind, arguments, values)                       \
  type name arguments {                                                 \
    if (isWatched(fd) && fails(kind)) return -1;                        \
    type(*real) arguments = dlsym(RTLD_NEXT, #name);                    \
    return real values;                                                 \
  }
CALL(ssize_t, read, READ, (int fd, void *to, size_t size), (fd, to, size))
CALL(ssize_t, pread, READ, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
CALL(ssize_t, pread64, READ, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
CALL(ssize_t, readv, READ, (int fd, const struct iovec *to, int count), (fd, to, count))
CALL(ssize_t, preadv, READ, (int fd, const struct iovec *to, int count, off_t at), (fd, to, count, at))
CALL(ssize_t, preadv64, READ, (int fd, const struct iovec *to, int count, off64_t at), (fd, to, count, at))
CALL(ssize_t, write, WRITE, (int fd, const void *from, size_t size), (fd, from, size))
CALL(ssize_t, pwrite, WRITE, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
CALL(ssize_t, pwrite64, WRITE, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
CALL(ssize_t, writev, WRITE, (int fd, const struct iovec *from, int count), (fd, from, count))
CALL(ssize_t, pwritev, WRITE, (int fd, const struct iovec *from, int count, off_t at), (fd, from, count, at))
CALL(ssize_t, pwritev64, WRITE, (int fd, const struct iovec *from, int count, off64_t at), (fd, from, count, at))
CALL(int, fsync, SYNC, (int fd), (fd))
CALL(int, fdatasync, SYNC, (int fd), (fd))

int rename(const char *from, const char *to) {
  if ((isBelow(from) || isBelow(to)) && fails(RENAME)) return -1;
  return REAL(rename)(from, to);
}

#define OPENING_STREAM(name)                                            \
  FILE *name(const char *path, const char *mode) {                      \
    if (isBelow(path) && fails(OPEN)) return NULL;                      \
    FILE *(*real)(const char *, const char *) = dlsym(RTLD_NEXT, #name); \
    FILE *stream = real(path, mode);                                    \
    if (stream != NULL) opened(fileno(stream), path);                   \
    return stream;                                                      \
  }
OPENING_STREAM(fopen)
OPENING_STREAM(fopen64)

/* Macros of the header. */
#undef fread_unlocked
#undef fwrite_unlocked

size_t fread_unlocked(void *to, size_t size, size_t count, FILE *stream) {
  if (isWatched(fileno(stream)) && fails(READ)) return 0;
  return REAL(fread_unlocked)(to, size, count, stream);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream) {
  if (isWatched(fileno(stream)) && fails(WRITE)) return 0;
  return REAL(fwrite_unlocked)(from, size, count, stream);
}

int fflush_unlocked(FILE *stream) {
  if (stream != NULL && isWatched(fileno(stream)) && fails(WRITE)) return EOF;
  return REAL(fflush_unlocked)(stream);
}

int fclose(FILE *stream) {
  int fd = fileno(stream);
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = 0;
  return REAL(fclose)(stream);
}

int close(int fd) {
  if (fd >= 0 && fd < MAX_FDS) watched[fd] = 0;
  return REAL(close)(fd);
}
