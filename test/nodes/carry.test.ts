/** What a wait node keeps of a message: packed and sealed, opened again, and what is dropped. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pack, unpack } from '../../nodes/shared/carry/pack.ts'
import { createSeal } from '../../nodes/shared/carry/seal.ts'
import { sealSecret } from '../../nodes/shared/carry/secret.ts'
import { aFolder } from '../support/a-folder.ts'

describe('what a message carries along', () => {
  const maxBytes = 100 * 1024

  it('comes back as it was: texts, numbers, dates, Buffers and what is nested', () => {
    const message = {
      hl7: 'MSH|^~\\&|\rPID|1',
      attempts: 3,
      sentAt: new Date('2026-03-02T09:00:00Z'),
      pdf: Buffer.from('%PDF-1.7'),
      reply: { to: ['lab', null, undefined], big: 2n ** 70n, map: new Map([['a', 1]]) },
    }
    const { bytes, dropped } = pack({ _msgid: 'of Node-RED', ...message }, { maxBytes })
    expect(dropped).to.deep.equal([])
    expect(unpack(bytes)).to.deep.equal(message)
    expect(Buffer.isBuffer(unpack(bytes).pdf)).to.equal(true)
  })

  it('leaves out, and names, what cannot be stored and what finds no room, the largest first', () => {
    const res = { send: () => {}, socket: {} }
    const { bytes, dropped } = pack(
      { res, large: 'x'.repeat(2000), small: 'x'.repeat(500), mrn: '1' },
      { maxBytes: 1024 },
    )
    expect(unpack(bytes)).to.deep.equal({ small: 'x'.repeat(500), mrn: '1' })
    expect(dropped).to.deep.equal(['res', 'large'])
  })

  it('is what was chosen, where something was', () => {
    const { bytes, dropped } = pack({ mrn: '1', hl7: 'MSH' }, { names: ['mrn', 'replyTo'], maxBytes })
    expect(unpack(bytes)).to.deep.equal({ mrn: '1' })
    expect(dropped).to.deep.equal([])
  })

  it('is sealed: it opens with the same secret and in the same place alone, and unchanged', () => {
    const { seal, open } = createSeal('a secret')
    const sealed = seal(Buffer.from('MRN-1'), 'wait/a/1')
    expect(open(sealed, 'wait/a/1').toString()).to.equal('MRN-1')
    expect(Buffer.from(sealed, 'base64').includes('MRN-1')).to.equal(false)
    expect(seal(Buffer.from('MRN-1'), 'wait/a/1')).to.not.equal(sealed)
    expect(() => open(sealed, 'wait/a/2')).to.throw()
    expect(() => createSeal('another secret').open(sealed, 'wait/a/1')).to.throw()
    const changed = Buffer.from(sealed, 'base64')
    changed[changed.length - 1]! ^= 1
    expect(() => open(changed.toString('base64'), 'wait/a/1')).to.throw()
  })

  it('is sealed with the secret of the settings, or else with one that is made once, for its owner alone', () => {
    const folder = join(aFolder(), 'countersign')
    expect(sealSecret({ credentialSecret: 'of the settings' }, folder)).to.deep.equal(['of the settings'])
    const made = sealSecret({ credentialSecret: false }, folder)
    expect(made).to.have.length(1)
    expect(made[0]).to.have.length(32)
    expect(sealSecret({}, folder)).to.deep.equal(made)
    expect([readFileSync(join(folder, 'seal.key'))]).to.deep.equal(made)
    expect(statSync(join(folder, 'seal.key')).mode & 0o077).to.equal(0)
  })

  it('opens after a secret is set as Node-RED recommends, and is sealed with that secret from then on', () => {
    const folder = join(aFolder(), 'countersign')
    const before = createSeal(sealSecret({}, folder)).seal(Buffer.from('MRN-1'), 'wait/a/1')
    const set = createSeal(sealSecret({ credentialSecret: 'set later' }, folder))
    expect(set.open(before, 'wait/a/1').toString()).to.equal('MRN-1')
    expect(() => set.open(before, 'wait/a/2')).to.throw()
    expect(
      createSeal('set later')
        .open(set.seal(Buffer.from('MRN-2'), 'wait/a/1'), 'wait/a/1')
        .toString(),
    ).to.equal('MRN-2')
  })

  it('is not sealed with a file that a full disk has left empty', () => {
    for (const left of ['', 'short']) {
      const folder = join(aFolder(), 'countersign')
      mkdirSync(folder)
      writeFileSync(join(folder, 'seal.key'), left)
      expect(() => sealSecret({}, folder)).to.throw('does not hold 32 bytes')
      expect(readFileSync(join(folder, 'seal.key'), 'utf8')).to.equal(left)
    }
  })
})
