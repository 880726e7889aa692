import { expect } from 'chai'
import { CELLS, cellsInSight } from '../../../server/web/inbox/tray/seen-cells.ts'

const page = { left: 0, top: 0, right: 400, bottom: 1000 }
const moved = (by: number) => ({ ...page, top: by, bottom: 1000 + by })
const window = { left: 0, top: 0, right: 400, bottom: 600 }

describe('what has been seen of a page', () => {
  it('is all of it when it is in sight as a whole, or part by part', () => {
    expect(cellsInSight(page, { ...window, bottom: 1000 })).to.have.length(CELLS)
    const parts = [0, -300, -400].flatMap((by) => cellsInSight(moved(by), window))
    expect(new Set(parts).size).to.equal(CELLS)
  })

  it('is not what a jump from one end to the other passes over', () => {
    const parts = [0, -700].flatMap((by) => cellsInSight(moved(by), { ...window, bottom: 300 }))
    expect(new Set(parts).size).to.equal(CELLS * 0.6)
  })

  it('is not what lies beside the window, nor what is only half in it', () => {
    expect(cellsInSight(page, { ...window, right: 298 })).to.have.length(CELLS * 0.3)
    expect(cellsInSight(page, { ...window, bottom: 148 })).to.have.length(CELLS * 0.1)
    expect(cellsInSight(moved(-1000), window)).to.deep.equal([])
  })
})
