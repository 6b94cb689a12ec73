// Jansson needs no wrappers here: what the JSON module calls are plain functions, and the few macros it needs
// (JSON_REJECT_DUPLICATES, JSON_DECODE_ANY) are object-like and so imported as integers.
#include <jansson.h>
