/** Settings of the Node-RED that `npm start` runs: for this machine only, quiet, and without calls home. */
const { randomBytes } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')

/** Encrypts the keys that are entered in the editor. Made once and kept beside the flows. */
function credentialSecret() {
  const file = join(__dirname, 'credential-secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: Number(process.env.NODE_RED_PORT),
  flowFile: 'flows.json',
  flowFilePretty: true,
  credentialSecret: credentialSecret(),
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false }, page: { title: 'Countersign' } },
  logging: { console: { level: 'warn', metrics: false, audit: false } },
}
