/** What an organization wants done with active content, from its settings to the signed PDF: stripped, refused, or left in. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { RefusedError } from '../../lib/client/errors.ts'
import {
  type ActiveContent,
  type ActiveContentPolicy,
  activeContentKinds,
  type Treatment,
} from '../../lib/pdf/prepare/active-content.ts'
import { type Preparation, preparationSentences } from '../../lib/pdf/prepare/preparation.ts'
import type { OrganizationFile } from '../../server/operations/operator/messages/organizations.ts'
import type { TaskFile } from '../../server/operations/operator/messages/tasks.ts'
import type { Opened } from '../../server/operations/signer/messages.ts'
import { aVisit, type Visit } from '../support/browser/a-visit.ts'
import { activeContentIn, activePdf } from '../support/pdf/active-pdf.ts'
import { textOf } from '../support/seen/text-of.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const STRIP = { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' } as const
const removed: Readonly<Record<ActiveContent, Preparation>> = {
  javaScript: 'javaScriptRemoved',
  openAction: 'openActionRemoved',
  embeddedFiles: 'embeddedFilesRemoved',
}

describe('Active content in documents', () => {
  let service: TestService
  let operator: Visit
  let signer: Visit
  const paths = {} as Record<'willow' | 'northfield', string>
  before(async () => {
    service = await aService({ unsignedPdf: 'view' })
    operator = aVisit(service.baseUrl)
    signer = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    await signer.signInAs('Ruth Calder DO')
    const all = (await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')).body
    const pathOf = (wanted: string) => `/admin/v1/organizations/${all.find(({ name }) => name === wanted)!.id}`
    paths.willow = pathOf('Willow Creek Home Health')
    paths.northfield = pathOf('Northfield Hospice')
  })
  after(() => service.stop())

  const decide = async (path: string, activeContent: Partial<ActiveContentPolicy>) => {
    expect((await operator.ask('PATCH', path, { activeContent: { ...STRIP, ...activeContent } })).status).to.equal(204)
    const { organization } = (await operator.ask<OrganizationFile>('GET', path)).body
    expect(organization.activeContent).to.deep.equal({ ...STRIP, ...activeContent })
  }
  const refusal = async (attachment: string, client = service.client): Promise<readonly string[]> => {
    const failure: unknown = await client
      .createTask({ body: aCreateBody({ document: { attachment } }) })
      .catch((reason: unknown) => reason)
    expect(failure).to.be.instanceOf(RefusedError).with.property('status', 400)
    return (failure as RefusedError).errors
  }

  /** The same document before it is signed, as the signer and the operator see it, and afterwards. */
  async function signed(attachment: string, client = service.client, key = service.key) {
    const { taskId } = await client.createTask({ body: aCreateBody({ document: { attachment } }) })
    await service.reaches(taskId, 'Pending', key)
    const path = `/inbox/api/documents/${taskId}`
    const opened = (await signer.ask<Opened>('GET', path)).body
    const shown = (await signer.ask('GET', `${path}/copy`)).bytes
    const { task } = (await operator.ask<TaskFile>('GET', `/admin/v1/tasks/${taskId}`)).body
    await service.signs(taskId, key)
    const read = { params: { id: taskId }, query: { includeOutputAttachment: true } }
    const sealed = (await client.readTask(read)).output!.attachment!
    expect(sha256(shown)).to.equal(opened.sha256)
    expect(task.preparations).to.deep.equal(opened.preparations)
    return {
      shown,
      preparations: opened.preparations,
      sealed: Buffer.from(sealed, 'base64'),
      certificate: withoutSpaces((await textOf(sealed)).split('\f').at(-1)!),
    }
  }

  const checks = {
    strip: async (kind: ActiveContent, sent: string) => {
      const { shown, preparations, sealed, certificate } = await signed(sent)
      for (const pdf of [shown, sealed])
        expect(await activeContentIn(pdf)).to.deep.equal({ kinds: [], hasRemains: false })
      expect(preparations).to.deep.equal([removed[kind]])
      expect(certificate).to.include(withoutSpaces(preparationSentences[removed[kind]]))
      expect(certificate).to.include(sha256(Buffer.from(sent, 'base64')))
    },
    refuse: async (kind: ActiveContent, sent: string) => {
      const before = (await service.client.listTasks()).length
      const errors = await refusal(sent)
      expect(errors).to.have.length(1)
      expect(errors[0])
        .to.match(/^document\.attachment: /)
        .and.to.match(words[kind])
      expect(errors[0]).not.to.include('canary')
      expect((await service.client.listTasks()).length).to.equal(before)
    },
    allow: async (kind: ActiveContent, sent: string) => {
      const { shown, preparations, sealed, certificate } = await signed(sent)
      expect(shown.equals(Buffer.from(sent, 'base64')), 'byte for byte').to.equal(true)
      for (const pdf of [shown, sealed]) expect((await activeContentIn(pdf)).kinds).to.deep.equal([kind])
      expect(preparations).to.deep.equal([])
      for (const sentence of Object.values(preparationSentences))
        expect(certificate).not.to.include(withoutSpaces(sentence))
    },
  } satisfies Record<Treatment, (kind: ActiveContent, sent: string) => Promise<void>>

  for (const kind of activeContentKinds)
    for (const [treatment, check] of Object.entries(checks))
      it(`${kind}: ${treatment}`, async () => {
        await decide(paths.willow, { [kind]: treatment })
        const sent = await activePdf(kind)
        expect((await activeContentIn(Buffer.from(sent, 'base64'))).kinds).to.deep.equal([kind])
        await check(kind, sent)
      })

  it('is treated as the sender’s organization decided, kind by kind', async () => {
    await decide(paths.willow, { javaScript: 'refuse', embeddedFiles: 'allow' })
    await decide(paths.northfield, { javaScript: 'allow', embeddedFiles: 'refuse' })
    const [script, file] = [await activePdf('javaScript', 'openAction'), await activePdf('embeddedFiles')]
    expect((await refusal(script))[0]).to.match(words.javaScript)
    expect((await refusal(file, service.other))[0]).to.match(words.embeddedFiles)

    const mine = await signed(file)
    expect((await activeContentIn(mine.sealed)).kinds).to.deep.equal(['embeddedFiles'])
    const theirs = await signed(script, service.other, service.otherKey)
    expect((await activeContentIn(theirs.sealed)).kinds).to.deep.equal(['javaScript'])
    expect(theirs.preparations).to.deep.equal(['openActionRemoved'])
  })

  it('is treated as it was decided when the document arrived', async () => {
    await decide(paths.willow, {})
    const { taskId } = await service.client.createTask({
      body: aCreateBody({ document: { attachment: await activePdf('javaScript') } }),
    })
    await decide(paths.willow, { javaScript: 'refuse' })
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    await service.reaches(taskId, 'Completed')
  })

  it('is refused together with everything else that is wrong with the request', async () => {
    await decide(paths.willow, { javaScript: 'refuse' })
    const { status, errors } = await service.ask('POST', '/api/v1/signature/tasks', {
      body: { ...aCreateBody({ document: { attachment: await activePdf('javaScript') } }), performers: [] },
    })
    expect(status).to.equal(400)
    expect(errors.filter((error) => error.startsWith('document.attachment: '))).to.have.length(1)
    expect(errors.filter((error) => error.startsWith('performers'))).to.have.length(1)
  })
})

/** What a refusal speaks of. */
const words: Readonly<Record<ActiveContent, RegExp>> = {
  javaScript: /script/i,
  openAction: /open/i,
  embeddedFiles: /attached|embedded|attachment/i,
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Without white space: where a line of a page breaks says nothing. */
const withoutSpaces = (text: string) => text.replace(/\s+/g, '')
