/** Whether bytes, or characters, are one whole PDF: what is read, and the reason for what is not. */
import { expect } from 'chai'
import { bytesIn, pdfInBase64, pdfInBytes } from '../../../lib/mapping/whole-pdf.ts'

const head = '%PDF-1.4\n1 0 obj<<>>endobj\n'
const pdf = `${head}trailer<<>>\nstartxref\n${head.length}\n%%EOF\n`
const of = (text: string) => pdfInBytes(Buffer.from(text, 'latin1'))
const reason = (text: string) => {
  const read = of(text)
  return read.ok ? null : read.reason
}
const base64 = Buffer.from(pdf).toString('base64')

describe('A whole PDF', () => {
  it('is read in every spelling of Base64, and as the bytes that came', () => {
    const bytes = Buffer.from([...Buffer.from('%PDF-1'), 0xfb, 0xef, 0xff, ...Buffer.from('\n%%EOF')])
    const standard = bytes.toString('base64')
    expect(standard).to.match(/\+.*\/|\/.*\+/)
    for (const text of [
      standard,
      bytes.toString('base64url'),
      standard.replace(/=+$/, ''),
      `data:application/pdf;base64,${standard}`,
      ` DATA:application/pdf;name=x;base64,${standard}`,
      standard.replace(/(.{4})/g, '$1\r\n\t'),
      `\uFEFF${standard}\0\0`,
    ]) {
      const read = pdfInBase64(text)
      expect(read.ok && read.base64, text).to.equal(standard)
      expect(bytesIn(text).equals(bytes), text).to.equal(true)
    }
  })

  it('is not read from characters that are not Base64, or from a digit too many', () => {
    const not = { ok: false, reason: 'holds characters that are not Base64' }
    for (const text of [
      `!${base64}`,
      `${base64}!`,
      `${base64.slice(0, 8)}!${base64.slice(8)}`,
      `x data:,;base64,${base64}`,
      `${base64.slice(0, 8)}=${base64.slice(8)}`,
      `${base64.slice(0, 8)}==${base64.slice(8)}`,
    ])
      expect(pdfInBase64(text), text).to.deep.equal(not)
    const digits = base64.replace(/=+$/, '')
    const odd = digits.slice(0, digits.length - ((digits.length + 3) % 4))
    expect(odd.length % 4).to.equal(1)
    expect(pdfInBase64(odd)).to.deep.equal({ ok: false, reason: 'is Base64 that was cut off' })
    expect(pdfInBase64(Buffer.from('<html>').toString('base64'))).to.deep.equal({ ok: false, reason: 'is not a PDF' })
    expect(pdfInBase64('')).to.deep.equal({ ok: false, reason: 'is not a PDF' })
  })

  it('loses what is blank before it, and keeps everything else', () => {
    for (const before of ['', '\r\n', '\0 \t\f', '\xef\xbb\xbf']) {
      const read = of(`${before}${pdf}`)
      expect(read.ok && Buffer.from(read.bytes).toString('latin1'), JSON.stringify(before)).to.equal(pdf)
    }
    const read = of(`x ${pdf}`)
    expect(read.ok && Buffer.from(read.bytes).toString('latin1')).to.equal(`x ${pdf}`)
    expect(reason(`${' '.repeat(1024)}${pdf}`)).to.equal('is not a PDF')
  })

  it('ends at its last %%EOF, with blanks at most after it', () => {
    for (const after of ['', '\r\n', '\x1a', '\0\0 \t\f']) expect(reason(`${pdf}${after}`), after).to.equal(null)
    expect(reason(pdf.replace('%%EOF', ''))).to.equal('is a PDF without its end')
    expect(reason(`${pdf}x`)).to.equal('is a PDF with other bytes after its end')
    expect(reason(`${pdf}%PDF-1.4\nand so on`)).to.equal('is a second PDF after the first')
    expect(reason(`${pdf}${pdf}`)).to.equal('holds a second PDF after the first')
    expect(reason(`${pdf}\n${pdf}\n${pdf}`)).to.equal('holds a second PDF after the first')
  })

  it('may have a PDF within an object, and a later revision', () => {
    expect(reason(`${head}2 0 obj<<>>stream\n${pdf}endstream endobj\nstartxref\n5\n%%EOF`)).to.equal(null)
    expect(reason(`${pdf}2 0 obj<<>>stream\n${pdf}endstream endobj\nstartxref\n5\n%%EOF`)).to.equal(null)
    expect(reason(`${pdf}2 0 obj<<>>endobj\nstartxref\n5\n%%EOF\n`)).to.equal(null)
  })

  it('is as long as it says: where its cross-references begin, and its length where it is linearized', () => {
    const at = (place: number | string) => pdf.replace(`startxref\n${head.length}\n`, `startxref \r\n ${place} \n\n`)
    expect(reason(at(12))).to.equal(null)
    expect(reason(at(pdf.length + 20))).to.equal('is a PDF without its end')
    expect(reason(at(at(10).length))).to.equal(null)
    const linearized = (length: number) => pdf.replace('<<>>', `<< /Linearized 1 /H [ 1 2 ] /L   ${length} /O 3 >>`)
    const whole = linearized(99).length
    expect(reason(linearized(whole))).to.equal(null)
    expect(reason(linearized(whole + 1))).to.equal('is a PDF without its end')
    expect(reason(linearized(9999))).to.equal('is a PDF without its end')
  })
})
