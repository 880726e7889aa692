/** Gives Node-RED a node, or on a Node.js that is too old one that says so and does nothing else. */
const { problem } = require('./floor.cjs')

const NAMESPACE = '@countersign/node-red-document-signature/service'
/** What Node-RED must know to keep the secrets of a flow that somebody deploys meanwhile. */
const CREDENTIALS = {
  service: { apiKey: { type: 'password' } },
  'webhook-in': { secrets: { type: 'password' } },
}

/** @param set the name of a node file below dist/nodes */
module.exports = (set) => async (RED) => {
  if (problem) return standIn(set, RED)
  const { default: register } = await import(`../dist/nodes/${set}.js`)
  return register(RED)
}

/** Registers the type all the same: without it Node-RED would start no flow. */
function standIn(set, RED) {
  const settings = set === 'service' ? settingsOfEditor() : {}
  if (set === 'service') RED.log.warn(problem)
  RED.nodes.registerType(
    `countersign-${set}`,
    function (config) {
      RED.nodes.createNode(this, config)
      this.status({ fill: 'red', shape: 'ring', text: RED._(`${NAMESPACE}:status.nodeTooOld`) })
    },
    { settings, ...(CREDENTIALS[set] && { credentials: CREDENTIALS[set] }) },
  )
}

/** The forms still open. */
const settingsOfEditor = () => ({
  ...require('../dist/node-red/editor-words.json'),
  countersignServiceProblem: { value: problem, exportable: true },
})
