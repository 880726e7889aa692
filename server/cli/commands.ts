/** All commands, in the order of the help: what each is for, and how it is loaded. */
import type { Command } from './command/command.ts'

export interface CommandEntry {
  summary: string
  /** Only the command that is called is loaded: loading all takes longer than most of them need. */
  load: () => Promise<{ command: Command }>
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: 'start the service', load: () => import('./serve.ts') },
  config: {
    summary: 'the settings with which a service would start here, and where each comes from',
    load: () => import('./config.ts'),
  },
  organizations: {
    summary: 'senders, and practices that signers belong to',
    load: () => import('./organizations.ts'),
  },
  keys: { summary: 'API keys of senders', load: () => import('./secrets/keys.ts') },
  'operator-keys': {
    summary: 'keys with which programs use /admin/v1',
    load: () => import('./secrets/operator-keys.ts'),
  },
  providers: { summary: 'who signs, and where', load: () => import('./providers.ts') },
  'document-types': { summary: 'kinds of documents that may be sent', load: () => import('./document-types.ts') },
  templates: {
    summary: 'fields and rules of an organization for a kind of document',
    load: () => import('./templates.ts'),
  },
  people: { summary: 'who may sign in to the pages', load: () => import('./people.ts') },
  delegations: { summary: 'signers who let a colleague sign for them', load: () => import('./delegations.ts') },
  deliveries: { summary: 'callbacks that were sent, and sending them again', load: () => import('./deliveries.ts') },
  backup: { summary: 'write all that is stored into one file', load: () => import('./backup.ts') },
  restore: { summary: 'make a store of a backup', load: () => import('./restore.ts') },
  audit: { summary: 'is the audit log whole?', load: () => import('./audit.ts') },
  'master-key': { summary: 'retire an old master key', load: () => import('./secrets/master-key.ts') },
  certificate: {
    summary: 'what the documents of a service are sealed with',
    load: () => import('./secrets/certificate.ts'),
  },
  verify: { summary: 'is a PDF as it was signed?', load: () => import('./verify.ts') },
  record: {
    summary: 'forward calls to a host and write down its answers, without what is private',
    load: () => import('./recording/record.ts'),
  },
  conform: {
    summary: 'does a host keep to the interface? Tries every rule on it, and signs nothing',
    load: () => import('./conform/conform.ts'),
  },
  rehearse: {
    summary: 'does a flow of Node-RED keep its promises when answers are lost, webhooks come twice, or it is killed?',
    load: () => import('./rehearse/rehearse.ts'),
  },
  sandbox: {
    summary: 'reset a sandbox that runs, give it another seed, keep and bring back what a sender did',
    load: () => import('./sandbox.ts'),
  },
  map: {
    summary: 'what becomes of a message: the request that is sent, or the reasons why it is held',
    load: () => import('./map.ts'),
  },
}
