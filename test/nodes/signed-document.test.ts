/** The names of files for signed PDFs: whatever ids hold, a name stays in its folder and is seen there. */
import { expect } from 'chai'
import { fileName } from '../../nodes/shared/signed-document.ts'

describe('the name of a signed file', () => {
  const name = (pattern: string, externalDocId = 'ORDER-7') => fileName(pattern, { taskId: 7, externalDocId })

  it('is filled from the task, and keeps what it does not know', () => {
    expect(name('{taskId} {externalDocId}.pdf')).to.equal('7 ORDER-7.pdf')
    expect(name('{taskID}.pdf')).to.equal('_taskID_.pdf')
  })

  it('leads nowhere else, and hides nothing', () => {
    expect(name('{externalDocId}.pdf', '../../etc/passwd')).to.equal('__.._etc_passwd.pdf')
    expect(name('..')).to.equal('_')
    expect(name('.{taskId}')).to.equal('_7')
    expect(name('{externalDocId}', 'C:\\orders|a"b')).to.equal('C__orders_a_b')
  })

  it('keeps the letters of every language, is never empty and never too long', () => {
    expect(name('{externalDocId}.pdf', 'Núñez (2)')).to.equal('Núñez (2).pdf')
    expect(name('{externalDocId}', '')).to.equal('signed.pdf')
    expect(name('{externalDocId}', 'x'.repeat(300))).to.have.length(200)
  })
})
