/** The test's eyes and hands inside Node-RED: reports messages and statuses to the test's process, and injects messages. */
module.exports = (RED) => {
  RED.nodes.registerType('probe', function (config) {
    RED.nodes.createNode(this, config)
    this.on('input', ({ req, res, ...message }, _send, done) => {
      const { error } = message
      const plain = error ? { ...error, stack: undefined, cause: error.cause && String(error.cause) } : undefined
      process.send({ probe: this.id, message: JSON.stringify({ ...message, ...(plain && { error: plain }) }) })
      done()
    })
  })
  RED.events.on('node-status', ({ id, status }) => process.send({ status: { id, ...status } }))
  RED.events.on('flows:started', () => process.send({ started: true }))
  process.on('message', ({ inject, message }) => {
    if (inject) RED.nodes.getNode(inject).receive(revived(message))
  })
}

/** Buffers travel as JSON between the processes. */
const revived = (text) => JSON.parse(text, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value.data) : value))
