/**
 * Node's HTTP as it was required: an `import` would look at each of its exports, and some of them load what speaks WebSocket and
 * HTTP/2, which takes a tenth of a start and a few megabytes.
 */
export const http = process.getBuiltinModule('node:http')
