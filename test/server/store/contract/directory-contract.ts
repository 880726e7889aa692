/** What the store keeps of organizations, providers and templates, as a part of its contract. */
import { expect } from 'chai'
import { defaultActiveContentPolicy } from '../../../../lib/pdf/prepare/active-content.ts'
import { AT, kindOf, newTask, organization, signer, type storesIn } from '../stores-in.ts'

export function keepsTheDirectory({ open, place }: ReturnType<typeof storesIn>): void {
  it('keeps what each organization wants done with its documents', async () => {
    const store = await open()
    const strict = { javaScript: 'refuse', openAction: 'refuse', embeddedFiles: 'allow' } as const
    const [usual, other] = [await organization(store), await organization(store, 'Northfield')]
    const { id: _, ...northfield } = (await store.organizations.find(other))!
    const made = await store.organizations.create(
      { ...northfield, name: 'Lakeside', activeContent: strict, documents: 'refuse' },
      AT,
    )
    expect(await store.forOrganization(made).documentSettings()).to.deep.equal({
      activeContent: strict,
      documents: 'refuse',
    })
    await store.organizations.update(other, { activeContent: { openAction: 'refuse' }, documents: 'draw' }, AT)
    expect((await store.organizations.list()).map(({ documents }) => documents)).to.deep.equal([
      'auto',
      'draw',
      'refuse',
    ])
    expect((await store.organizations.list()).map(({ activeContent }) => activeContent)).to.deep.equal([
      defaultActiveContentPolicy,
      { ...defaultActiveContentPolicy, openAction: 'refuse' },
      strict,
    ])
    expect((await store.forOrganization(usual).documentSettings()).activeContent).to.deep.equal(
      defaultActiveContentPolicy,
    )
  })

  it('changes where a provider signs, and retires a template, once', async () => {
    const store = await open()
    const practice = await signer(store)
    const [other, third] = [await organization(store, 'Harbor'), await organization(store, 'Hill')]
    const { userNPI: npi } = newTask().request.performer.signer
    const where = async () => (await store.providers.find(npi))?.organizations.map(({ id }) => id)
    await store.providers.setOrganizations(npi, [other, practice], AT)
    expect(await where()).to.deep.equal([other, practice])
    await store.providers.setOrganizations(npi, [third, other], AT)
    expect(await where()).to.deep.equal([third, other])

    const { templates } = store.forOrganization(other)
    const rules = { diagnosisCodeAllowed: true, diagnosisCodeRequired: false, daysBefore: null, daysAfter: 3 }
    const exceptions = { signatureRule: 'required', coversTokens: false } as const
    const kind = { pdfRequired: true, isCustomTemplate: true, fields: [], ...exceptions }
    const template = { summary: 'Order', clinicalDateLabel: 'Order date', ...rules, ...kind }
    const templateId = await templates.create(template, AT)
    expect(await templates.update(templateId, { ...template, summary: 'New order' }, AT)).to.equal(true)
    expect(await templates.list()).to.deep.equal([{ templateId, ...template, summary: 'New order' }])
    expect(await store.forOrganization(third).templates.retire(templateId, AT)).to.equal(false)
    expect(await templates.retire(templateId, AT)).to.equal(true)
    expect(await templates.retire(templateId, AT)).to.equal(false)
    expect(await templates.update(templateId, template, AT)).to.equal(false)
    expect([await templates.list(), await templates.findOffered(templateId)]).to.deep.equal([[], null])
    expect((await templates.find(templateId))?.summary).to.equal('New order')
  })

  it('keeps the NPIs of organizations apart', async () => {
    const store = await open()
    const [first, second] = [await organization(store), await organization(store, 'Northfield')]
    const npi = '9999901017'
    await store.organizations.update(first, { npi }, AT)
    const refused = await store.organizations.update(second, { npi }, AT).catch(kindOf)
    expect(refused).to.equal('conflict')
    const give = () => place().query(`UPDATE organization SET npi = '${npi}'`)
    expect(await give().catch(() => 'refused'), 'by the database itself').to.equal('refused')
  })
}
