/** The head of a page for somebody who is signed in: the product, the parts of the page, and the visitor. */
import type { ComponentChildren } from 'preact'
import { Logo } from './logo.tsx'
import type { Visitor } from './sign-in/account.ts'

interface PageHeadProps {
  visitor: Visitor
  signOut(): void
  /** The links to the parts of the page. */
  children: ComponentChildren
}

export const PageHead = ({ visitor, signOut, children }: PageHeadProps) => (
  <header class="top">
    <Logo />
    {children}
    <div class="visitor">
      <span class="visitor-name">{visitor.name}</span>
      <button type="button" class="quiet" onClick={signOut}>
        Sign out
      </button>
    </div>
  </header>
)
