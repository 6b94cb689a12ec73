// `mock-server` of packages: becomes the `b2c` beside it, which is both programs. A symbolic link would do, but wheels and npm
// packages have none. The name by which it was called stays, since usage shows that.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "b2c");
    char *slash = length > 0 ? memrchr(path, '/', length) : NULL;
    if (!slash) {
        fprintf(stderr, "mock-server: the folder of this program is not known: %s\n", strerror(errno));
        return 3;
    }
    strcpy(slash + 1, "b2c");
    setenv("B2C_PROGRAM", "mock-server", 1);
    execv(path, arguments);
    fprintf(stderr, "mock-server: %s cannot be started: %s. Keep it beside mock-server.\n", path, strerror(errno));
    return 3;
}
