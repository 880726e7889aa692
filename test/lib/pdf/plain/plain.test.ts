/** Which documents are plain: those of ordinary producers are, and what a crafted one does is outside of the grammar. */
import { expect } from 'chai'
import { openStructure } from '../../../../lib/pdf/guard/structure.ts'
import { isWholeFax, runCodes } from '../../../../lib/pdf/plain/fax-picture.ts'
import { isStandardProfile } from '../../../../lib/pdf/plain/icc-profile.ts'
import { plainJpeg } from '../../../../lib/pdf/plain/jpeg-picture.ts'
import { plainProblem } from '../../../../lib/pdf/plain/plain-problem.ts'
import { encodeJpeg } from '../../../../server/pdf/draw/jpeg.ts'
import { craftedOrders, craftedPdf } from '../../../support/crafted/crafted-orders.ts'
import { fax } from '../../../support/crafted/fax.ts'
import { fixture, fixtureNames } from '../../../support/fixtures.ts'
import { changedAt } from '../../../support/pdf/changed-at.ts'
import { type Random, randomFrom } from '../../../support/random.ts'

async function problemOf(pdf: Uint8Array): Promise<string | null> {
  const opened = await openStructure(pdf)
  return opened.ok ? plainProblem(opened.doc) : opened.problem
}

describe('a plain document', () => {
  for (const folder of ['orders', 'producers'])
    for (const name of fixtureNames(`pdf/${folder}`).filter((file) => file.endsWith('.pdf')))
      it(`is one of an ordinary producer: ${name}`, async () => {
        expect(await problemOf(fixture(name))).to.equal(null)
      })

  it('is none of the crafted ones, apart from those that are damaged', async () => {
    for (const name of Object.keys(craftedOrders)) expect(await problemOf(craftedPdf(name)), name).to.be.a('string')
  })
})

describe('a picture in JPEG', () => {
  const side = 40
  const samples = (channels: 1 | 3) =>
    Uint8Array.from({ length: side * side * channels }, (_, i) => (i * 7 + ((i * i) >> 5)) & 0xff)
  const jpeg = (channels: 1 | 3) =>
    Buffer.from(encodeJpeg({ width: side, height: side, channels, data: samples(channels) }, 90))

  for (const channels of [1, 3] as const)
    it(`is plain with ${channels} components when it is whole`, () => {
      expect(plainJpeg(jpeg(channels))).to.deep.equal({ width: side, height: side, components: channels })
    })

  /** The same picture with this note of Adobe, and with components that are counted from 0. */
  const fromZero = (channels: 1 | 3, converted: number | null) => {
    const whole = jpeg(channels)
    const [frame, scan] = [0xc0, 0xda].map((marker) => whole.indexOf(Buffer.from([0xff, marker]))) as [number, number]
    for (let i = 0; i < channels; i++) {
      whole[frame + 10 + 3 * i]!--
      whole[scan + 5 + 2 * i]!--
    }
    const note = Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, converted ?? 0])
    return Buffer.concat([whole.subarray(0, 2), converted === null ? Buffer.alloc(0) : note, whole.subarray(2)])
  }

  it('is plain with components that are counted from 0 where Adobe says what they are', () => {
    expect(plainJpeg(fromZero(3, 1))).to.deep.equal({ width: side, height: side, components: 3 })
    expect(plainJpeg(fromZero(1, 0))).to.deep.equal({ width: side, height: side, components: 1 })
    for (const converted of [null, 0, 2]) expect(plainJpeg(fromZero(3, converted)), `${converted}`).to.equal(null)
  })

  it('is not plain when a part of its data is missing, or something follows it', () => {
    const whole = jpeg(3)
    for (const end of [10, 100, 400, whole.length - 2, whole.length - 10])
      expect(plainJpeg(whole.subarray(0, end)), `${end}`).to.equal(null)
    expect(plainJpeg(Buffer.concat([whole.subarray(0, whole.length - 40), Buffer.from([0xff, 0xd9])]))).to.equal(null)
    expect(plainJpeg(Buffer.concat([whole, Buffer.alloc(100)]))).to.equal(null)
    expect(plainJpeg(changedAt(whole, whole.indexOf(Buffer.from([0xff, 0xc0])) + 1, 0xc2))).to.equal(null)
  })
})

describe('a picture in the code of a fax', () => {
  const [width, height] = [3_000, 9]
  const rows = (random: Random) => {
    const all: number[][] = []
    for (let y = 0; y < height; y++) {
      const runs = Array.from({ length: 1 + random.below(20) }, () => random.below(y === 3 ? 2_900 : 200))
      const row = runs.flatMap((length, i) => Array.from({ length }, () => i & 1))
      all.push(Array.from({ length: width }, (_, x) => (random.isSo() ? row[x] : all[y - 1]?.[x]) ?? row[x] ?? 0))
      if (random.isSo(0.3)) all[y] = Array.from({ length: width }, (_, x) => row[x] ?? y & 1)
    }
    return all
  }

  it('is plain when it is whole, whatever it shows', () => {
    for (let seed = 0; seed < 12; seed++) {
      const data = fax(rows(randomFrom(seed)), randomFrom(seed))
      expect(isWholeFax(data, width, height), `${seed}`).to.equal(true)
      expect(isWholeFax(data, width, height + 1), `${seed}`).to.equal(false)
      expect(isWholeFax(data, width, height - 1), `${seed}`).to.equal(false)
      expect(isWholeFax(data, width - 1, height), `${seed}`).to.equal(false)
    }
  })

  it('is not plain when something is missing, or follows it', () => {
    const data = fax(rows(randomFrom(7)), randomFrom(7))
    for (const end of [0, 1, 20, data.length - 3, data.length - 1])
      expect(isWholeFax(data.subarray(0, end), width, height), `${end}`).to.equal(false)
    expect(isWholeFax(Buffer.concat([data, Buffer.alloc(10)]), width, height)).to.equal(false)
  })

  it('is not plain with a code that is none, a run beyond the row, or a run without a pixel', () => {
    const coded = (bits: string) => {
      const all = (bits + '000000000001'.repeat(2)).match(/.{1,8}/g)!
      return isWholeFax(Buffer.from(all.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))), 8, 1)
    }
    const white = runCodes(false)
    const black = runCodes(true)
    expect(coded('1')).to.equal(true)
    expect(coded(`001${white.get(3)}${black.get(5)}`)).to.equal(true)
    expect(coded(`001${white.get(0)}${black.get(8)}`)).to.equal(true)
    expect(coded(`001${white.get(3)}${black.get(6)}`)).to.equal(false)
    expect(coded(`001${white.get(3)}${black.get(0)}1`)).to.equal(false)
    expect(coded(`001${white.get(3)}${black.get(2)}001${white.get(0)}${black.get(3)}`)).to.equal(false)
    expect(coded('0000001111')).to.equal(false)
    expect(coded('011')).to.equal(false)
  })
})

describe('a color profile', () => {
  /** A profile for gray with this curve: as many levels as given. */
  function gray(levels: readonly number[]): Buffer {
    const profile = Buffer.alloc(156 + 2 * levels.length)
    profile.writeUInt32BE(profile.length, 0)
    profile.write('mntrGRAYXYZ ', 12, 'latin1')
    profile.write('acsp', 36, 'latin1')
    profile.writeUInt32BE(1, 128)
    profile.write('kTRC', 132, 'latin1')
    profile.writeUInt32BE(144, 136)
    profile.writeUInt32BE(profile.length - 144, 140)
    profile.write('curv', 144, 'latin1')
    profile.writeUInt32BE(levels.length, 152)
    for (const [i, level] of levels.entries()) profile.writeUInt16BE(Math.round(level * 65_535), 156 + 2 * i)
    return profile
  }
  const usual = Array.from({ length: 256 }, (_, i) => (i / 255) ** 2.2)

  it('is plain when it says what a screen shows', () => {
    expect(isStandardProfile(gray(usual), 1)).to.equal(true)
    expect(isStandardProfile(gray(usual), 3)).to.equal(false)
  })

  it('is not plain when one of its levels is another', () => {
    expect(isStandardProfile(gray([...usual].reverse()), 1)).to.equal(false)
    expect(isStandardProfile(gray(usual.map((level, i) => (i === 130 ? 0 : level))), 1)).to.equal(false)
    expect(isStandardProfile(gray(usual).subarray(0, 200), 1)).to.equal(false)
  })
})
