/** The head of a page for someone who is signed in: the product, the parts of the page, and the visitor. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { ConnectionBanner } from './connection.tsx'
import { Logo } from './logo.tsx'
import type { Visitor } from './sign-in/account.ts'
import { AccountDialog } from './sign-in/account-dialog.tsx'
import { GivenText } from './text/given-text.tsx'

interface PageHeadProps {
  visitor: Visitor
  signOut(): void
  /** The links to the parts of the page. */
  children: ComponentChildren
}

export function PageHead({ visitor, signOut, children }: PageHeadProps) {
  const [isChanging, setChanging] = useState(false)
  return (
    <>
      <header class="top">
        <Logo />
        {children}
        <div class="visitor">
          <span class="visitor-name">
            <GivenText>{visitor.name}</GivenText>
          </span>
          {visitor.hasPassword && (
            <button type="button" class="quiet" onClick={() => setChanging(true)}>
              {t('head.account')}
            </button>
          )}
          <button type="button" class="quiet" onClick={signOut}>
            {t('head.signOut')}
          </button>
        </div>
        {isChanging && <AccountDialog visitor={visitor} onClose={() => setChanging(false)} />}
      </header>
      <ConnectionBanner />
    </>
  )
}
