/**
 * Loaded by the Node-RED of a rehearsal as a module of nodes. It reports each delivery of a message, each error, and all that is
 * printed or shown to the process that started it, and kills this process before the delivery that it was asked to stop at.
 */
const { EventEmitter } = require('node:events')

module.exports = (RED) => {
  let stopAt
  RED.hooks.add('preDeliver.rehearsal', ({ source, destination, msg }) => {
    const [from, to] = [source.id, destination.id]
    if (stopAt?.from === from && stopAt.to === to) process.kill(process.pid, 'SIGKILL')
    process.send({ hop: { from, to, ...outline(msg) } })
  })
  RED.hooks.add('onReceive.rehearsal', ({ msg, destination }) => {
    if (destination.node.type === 'catch' && msg.error) process.send({ caught: msg.error.source?.id ?? '' })
  })
  RED.events.on('comms', ({ topic, data }) => {
    if (topic === 'debug') process.send({ shown: { node: data.id, text: `${data.msg}` } })
  })
  RED.events.on('node-status', ({ id, status }) => process.send({ shown: { node: id, text: `${status?.text ?? ''}` } }))
  const log = new EventEmitter()
  log.on('log', ({ level, id, msg }) => {
    const text = msg instanceof Error ? `${msg.stack}` : typeof msg === 'string' ? msg : `${JSON.stringify(msg)}`
    process.send({ logged: { node: id ?? '', isError: level <= RED.log.ERROR, text } })
  })
  RED.log.addHandler(log)
  RED.events.on('flows:started', () => process.send({ started: true }))
  process.on('message', (asked) => {
    if ('stopAt' in asked) stopAt = asked.stopAt
    if (asked.press) RED.nodes.getNode(asked.press)?.receive()
  })
  process.on('disconnect', () => process.exit())
}

/** Returns the parts of a message that name a task; never its contents. */
function outline({ _msgid, taskId, status, payload }) {
  const id = taskId ?? payload?.taskId
  return {
    message: `${_msgid}`,
    taskId: Number.isInteger(id) ? id : null,
    status: typeof status === 'string' ? status : null,
  }
}
