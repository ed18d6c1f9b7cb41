import { html } from '../html/html.js'
import { layout } from './layout.js'

/** What stands where nothing is, for people. */
export function notFoundPage(page: Pick<layout.Page, 'assets' | 'isServed'>): string {
  return layout({
    ...page,
    title: 'Nothing here · Sluice',
    description: 'There is nothing at this path.',
    path: '/404',
    content: html`<h1>There is nothing at this path</h1>
<p class="lead">The link may be old or cut short. <a href="/">Swap</a>, or read the <a href="/guide">guide</a>.</p>`,
  })
}
