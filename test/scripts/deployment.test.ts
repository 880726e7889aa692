/** The unit file, the configuration of nginx and the guide fit together, and the command takes what they give it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { MAX_ATTACHMENT_BYTES } from '../../server/choices.ts'
import { createBodyLimit } from '../../server/http/bodies/body-rooms.ts'
import { MASTER_KEY_VARIABLE } from '../../server/store/sealing/master-key.ts'
import { root } from '../support/built.ts'
import { nginxConfiguration } from '../support/network/nginx.ts'
import { countersign } from '../support/service/served.ts'

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8')

describe('The files for production', () => {
  const unit = read('deployment/countersign@.service')
  const guide = read('guides/in-production.md')
  const nginx = nginxConfiguration()

  it('the unit starts the service with options that it has', async () => {
    const { stdout: help } = await countersign(['serve', '--help'])
    const options = /^ExecStart=.* serve (.*)$/m.exec(unit)![1]!.match(/--[\w-]+/g)!
    expect(options).to.deep.equal(['--port', '--data', '--trust-proxy', '--metrics-port'])
    for (const option of options) expect(help).to.contain(`${option} <`)
  })

  it('the guide names the variables that the unit and the service read', () => {
    for (const name of [/\$\{(\w+)\}/.exec(unit)![1]!, MASTER_KEY_VARIABLE]) expect(guide).to.contain(`\n${name}=`)
  })

  it('nginx passes on to the ports that the unit and the guide start, and is the proxy that is trusted', () => {
    const ports = [...nginx.matchAll(/^ +server 127\.0\.0\.1:(\d+)/gm)].map(([, port]) => `countersign@${port}`)
    expect(ports).to.deep.equal(['countersign@8091', 'countersign@8092'])
    for (const text of [unit, guide]) expect(text).to.contain(`systemctl enable --now ${ports.join(' ')}`)
    expect(unit).to.contain('--trust-proxy 127.0.0.1')
  })

  it('nginx lets through what the service takes, so that the service refuses what it does not', () => {
    const limit = Number(/client_max_body_size (\d+)m;/.exec(nginx)![1]) * 1024 * 1024
    expect(limit).to.be.greaterThan(createBodyLimit(MAX_ATTACHMENT_BYTES))
  })
})
