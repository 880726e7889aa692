/**
 * The test's eyes and hands inside Node-RED: reports messages and statuses to the test's process, and injects messages. As
 * `said` it reports what must name no patient: errors, statuses, and every entry of the log, of whatever level.
 */
const { EventEmitter } = require('node:events')
const { rmSync } = require('node:fs')
const { inspect } = require('node:util')

module.exports = (RED) => {
  RED.nodes.registerType('probe', function (config) {
    RED.nodes.createNode(this, config)
    this.on('input', ({ req, res, ...message }, _send, done) => {
      const { error, errors } = message
      if (error || errors) process.send({ said: inspect({ error, errors }, { depth: 8 }) })
      const plain = error
        ? { ...error, stack: undefined, cause: error.cause?.kind ? error.cause : error.cause && String(error.cause) }
        : undefined
      process.send({ probe: this.id, message: asText({ ...message, ...(plain && { error: plain }) }) })
      done()
    })
  })
  RED.events.on('node-status', ({ id, status }) =>
    process.send({ status: { id, ...status }, said: JSON.stringify(status) }),
  )
  RED.events.on('flows:started', () => process.send({ started: true }))
  const log = new EventEmitter()
  log.on('log', (entry) => process.send({ said: inspect(entry, { depth: 8 }) }))
  RED.log.addHandler(log)
  process.on('message', async ({ inject, message, reset }) => {
    if (inject) RED.nodes.getNode(inject).receive(revived(message))
    if (reset) {
      // The settings of an editor that nobody has signed in to.
      await RED.settings.setUserSettings('_', {})
      for (const stream of [process.stdout, process.stderr]) stream.write(`${reset}\n`)
    }
  })
  // Only the test ends a connection that rests. Otherwise, on a busy machine, a request may meet one that is just being ended.
  RED.server.keepAliveTimeout = 0
  // The tests have ended, in whatever way: nobody needs this Node-RED and its files any more.
  const end = () => {
    rmSync(RED.settings.userDir, { recursive: true, force: true })
    process.exit()
  }
  if (process.connected) process.on('disconnect', end)
  else end()
}

/** Buffers travel as Base64: as lists of numbers, the documents would take most of the time of a test. */
const asText = (message) =>
  JSON.stringify(message, function (key, value) {
    const given = this[key]
    return Buffer.isBuffer(given) ? { type: 'Buffer', base64: given.toString('base64') } : value
  })
const revived = (text) =>
  JSON.parse(text, (_, value) =>
    value?.type === 'Buffer' && value.base64 !== undefined ? Buffer.from(value.base64, 'base64') : value,
  )
