/**
 * Puts the clock of a Node-RED ahead: by the milliseconds in the file `clock-ahead` of the folder where it runs, and by those of
 * messages to the node `clock`, which the file keeps over restarts. Timers take as long as they do.
 */
const { readFileSync, writeFileSync } = require('node:fs')

const FILE = 'clock-ahead'
const SystemDate = Date

let ahead = 0
try {
  ahead = Number(readFileSync(FILE, 'utf8'))
} catch {}

const now = () => SystemDate.now() + ahead

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('message', ({ inject, message }) => {
  if (inject !== 'clock') return
  ahead = JSON.parse(message).ahead
  writeFileSync(FILE, String(ahead))
})
