/** The name of the product, with its mark: the way to all its pages. */
import mark from './countersign.svg'

export const Logo = () => (
  <a class="logo" href="/">
    <img src={mark} alt="" width="28" height="28" />
    Countersign
  </a>
)
