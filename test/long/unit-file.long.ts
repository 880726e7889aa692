/** `npm run test:long`: systemd understands all of docs/deployment/countersign@.service. Its package must be installed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { root } from '../support/built.ts'
import { unitComplaints } from '../support/seen/external-checks.ts'

const unit = readFileSync(join(root, 'docs/deployment/countersign@.service'), 'utf8')
const COMMAND = '/usr/bin/countersign'

/** The command is replaced by a program that is here, as systemd looks for it. */
const complaints = (text: string) => unitComplaints('countersign@8091.service', text.replace(COMMAND, process.execPath))

describe('The unit file', () => {
  it('is understood by systemd', () => {
    expect(unit).to.contain(COMMAND)
    expect(complaints(unit)).to.equal('')
  })

  it('would be found to hold what systemd does not know', () => {
    expect(complaints(unit.replace('RestrictNamespaces', 'RestrictNamespace'))).to.contain('RestrictNamespace')
    expect(complaints(unit.replace('@system-service', '@system-services'))).to.contain('@system-services')
  })
})
