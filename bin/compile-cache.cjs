/**
 * Keeps what Node.js has compiled for the next start of the command. Node.js runs what it finds there, so it lies where only this
 * user can write; where there is no such place, nothing is kept.
 */
const { mkdirSync, statSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { homedir } = require('node:os')
const { join } = require('node:path')

/** Does nothing where `NODE_COMPILE_CACHE` or `NODE_DISABLE_COMPILE_CACHE` says what to do. */
exports.keepCompiled = () => {
  if (process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return
  const folder = privateFolder()
  if (!folder) return
  enableCompileCache(folder)
  // For threads.
  process.env.NODE_COMPILE_CACHE = folder
}

/** Returns null where others could write, or this user cannot. */
function privateFolder() {
  try {
    // A user without an entry in the list of users, as in a container, has no home: asking for it throws.
    const [parent, ...names] = place()
    // As root, with the home of another user, it would be that user who decides what is run.
    if (!isOurs(parent)) return null
    mkdirSync(join(parent, ...names), { recursive: true, mode: 0o700 })
    const folders = names.map((_, index) => join(parent, ...names.slice(0, index + 1)))
    return folders.every(isOurs) ? folders.at(-1) : null
  } catch {
    return null
  }
}

/** A folder that is there, and the names of those below it. systemd gives `CACHE_DIRECTORY`. */
function place() {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (CACHE_DIRECTORY) return [CACHE_DIRECTORY, 'compiled']
  const caches = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME
  return caches ? [caches, 'countersign', 'compiled'] : [homedir(), '.cache', 'countersign', 'compiled']
}

function isOurs(folder) {
  const { uid, mode } = statSync(folder)
  return process.platform === 'win32' || (uid === process.geteuid() && (mode & 0o022) === 0)
}
