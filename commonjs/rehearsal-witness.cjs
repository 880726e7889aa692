/**
 * Loaded by the Node-RED of a rehearsal as a module of nodes. It reports each delivery of a message, each error, and all that is
 * printed or shown to the process that started it. It kills this process before the delivery that it was asked to stop at, lets
 * connections reach the places of the rehearsal alone, and keeps files inside its folder.
 */
const dgram = require('node:dgram')
const { EventEmitter } = require('node:events')
const net = require('node:net')
const { resolve, sep } = require('node:path')

/** The ports of this machine that may be called, the folder for files, and how far the clock is ahead. */
let limits = JSON.parse(process.env.COUNTERSIGN_REHEARSAL)
let stopAt

const report = (seen) => process.send?.(seen)

keepConnectionsInside()
shiftClock()

module.exports = (RED) => {
  RED.hooks.add('preDeliver.rehearsal', ({ source, destination, msg }) => {
    const [from, to] = [idOf(source.node, source.id), idOf(destination.node, destination.id)]
    if (stopAt?.from === from && stopAt.to === to) process.kill(process.pid, 'SIGKILL')
    report({ hop: { from, to, ...outline(msg) } })
    if (isOutside(RED, destination.node, msg)) {
      report({ refused: { node: to, what: 'a file outside of the folder of the rehearsal' } })
      return false
    }
  })
  RED.hooks.add('onReceive.rehearsal', ({ msg, destination }) => {
    const { node } = destination
    if (node.type === 'catch' && msg.error) report({ caught: msg.error.source?.id ?? '' })
    report({ begun: { node: idOf(node, destination.id), message: `${msg._msgid}` } })
  })
  RED.hooks.add('onComplete.rehearsal', ({ node, msg }) =>
    report({ ended: { node: idOf(node.node, node.id), message: `${msg?._msgid}` } }),
  )
  RED.events.on('comms', ({ topic, data }) => {
    if (topic === 'debug') report({ shown: { node: data.id, text: `${data.msg}` } })
  })
  RED.events.on('node-status', ({ id, status }) => report({ shown: { node: id, text: `${status?.text ?? ''}` } }))
  const log = new EventEmitter()
  log.on('log', ({ level, id, _alias, msg }) => {
    const text = msg instanceof Error ? `${msg.stack}` : typeof msg === 'string' ? msg : `${JSON.stringify(msg)}`
    report({ logged: { node: _alias ?? id ?? '', isError: level <= RED.log.ERROR, text } })
  })
  RED.log.addHandler(log)
  RED.events.on('flows:started', () => report({ started: true }))
  process.on('message', (asked) => {
    if (asked.limits) limits = asked.limits
    if (asked.limits) process.chdir(limits.folder)
    if ('stopAt' in asked) stopAt = asked.stopAt
    if (asked.press) RED.nodes.getNode(asked.press.id)?.receive({ _msgid: asked.press.message })
    if (asked.forgetGlobalsOf) forgetGlobals(RED, asked.forgetGlobalsOf)
    report({ done: true })
  })
  process.on('disconnect', () => process.exit())
}

/** In an instance of a subflow, a node has an id of its own; people know the one in the subflow. */
const idOf = (node, id) => node?._alias ?? id

/** Returns the parts of a message that name a task; never its contents. */
function outline({ _msgid, taskId, status, payload }) {
  const id = taskId ?? payload?.taskId
  return {
    message: `${_msgid}`,
    taskId: Number.isInteger(id) ? id : null,
    status: typeof status === 'string' ? status : null,
  }
}

const FILE_NODES = new Set(['file', 'file in'])

/** Whether a node of files would leave the folder by a name that only the message has. */
function isOutside(RED, node, msg) {
  if (!FILE_NODES.has(node?.type)) return false
  const { filename, filenameType } = node
  if (filenameType === 'str' || !filenameType || !filename) return isAway(`${filename || msg.filename || ''}`)
  return isAway(`${RED.util.evaluateNodeProperty(filename, filenameType, node, msg) ?? ''}`)
}

function isAway(path) {
  const folder = resolve(limits.folder)
  return path !== '' && !`${resolve(path)}${sep}`.startsWith(folder + sep)
}

function forgetGlobals(RED, id) {
  const globals = RED.nodes.getNode(id)?.context().global
  for (const key of globals?.keys() ?? []) globals.set(key, undefined)
}

/** All libraries that speak TCP end up in this method, and those of UDP in `send` and `connect`. */
function keepConnectionsInside() {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function (...given) {
    const [first] = Array.isArray(given[0]) ? given[0] : given
    const to = typeof first === 'object' ? first : { port: first, host: typeof given[1] === 'string' ? given[1] : '' }
    if (isAllowed(to)) return connect.apply(this, given)
    report({ refused: { node: '', what: `a connection to ${to.path ?? `${to.host || 'localhost'}:${to.port}`}` } })
    process.nextTick(() => this.destroy(Object.assign(new Error('refused by the rehearsal'), { code: 'ECONNREFUSED' })))
    return this
  }
  for (const name of ['send', 'connect'])
    dgram.Socket.prototype[name] = () => {
      report({ refused: { node: '', what: 'a datagram' } })
      throw new Error('refused by the rehearsal')
    }
}

const HERE = new Set(['', 'localhost', '127.0.0.1', '::1', '[::1]'])
const isAllowed = ({ host, port, path }) => !path && HERE.has(host ?? '') && limits.ports.includes(Number(port))

/** Timers take as long as they do; the time of day is ahead. */
function shiftClock() {
  const SystemDate = Date
  const now = () => SystemDate.now() + limits.aheadMs
  globalThis.Date = new Proxy(SystemDate, {
    apply: (target) => new target(now()).toString(),
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })
}
