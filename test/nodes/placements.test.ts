/** The forms that say where fields stand: each offers every placement of the interface, in words, with rows where it has fields. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type PlacementType, placementTypes } from '../../lib/contract/task/annotations.ts'
import { rowLists } from '../../nodes/shared/form/placed-fields.ts'
import { root } from '../support/built.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A preview asks no service, so it knows no templates. */
const offered: Readonly<Record<string, readonly PlacementType[]>> = {
  'create-task': placementTypes,
  preview: placementTypes.filter((type) => type !== 'Template'),
}

for (const [node, types] of Object.entries(offered)) {
  describe(`the placements in the form of ${node}`, () => {
    const form = read(`nodes/${node}.html`)
    const select = /<select id="node-input-placement".*?<\/select>/s.exec(form)![0]
    const rows = read('resources/countersign-rows.js')

    it('are those of the interface', () => {
      const values = [...select.matchAll(/value="(\w+)" data-i18n="[^"]*\/service:placement\.(\w+)"/g)]
      expect(values.map(([, value]) => value)).to.have.members(types)
      expect(values.every(([, value, word]) => value === word)).to.equal(true)
    })

    it('show a list of rows where each field has a place of its own', () => {
      const listed = types.filter((type) => rowLists[type] !== null)
      const [, shownFor] = /data-when="placement=([\w|]*\|[\w|]*)"/.exec(form)!
      expect(shownFor!.split('|')).to.have.members(listed)
      for (const type of listed) {
        expect(form).to.include(`data-when="placement=${type}"`)
        expect(form).to.include(`data-rows="${rowLists[type]}"`)
        expect(rows).to.include(`${rowLists[type]}: {`)
      }
    })
  })
}

describe('the placements in the forms', () => {
  it('have words', () => {
    const { placement } = JSON.parse(read('nodes/locales/en-US/service.json'))
    expect(Object.keys(placement)).to.have.members(placementTypes)
  })
})
