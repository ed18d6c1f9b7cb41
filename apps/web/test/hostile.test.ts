import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { hostileNames } from './hostile.js'
import { launch, openPage } from './launch.js'

test('property: 10,000 hostile texts leave the elements as they are', async () => {
  const build = await rolldown({
    input: fileURLToPath(new URL('./renderers.tsx', import.meta.url)),
    platform: 'browser',
    resolve: { conditionNames: ['development', 'browser', 'import', 'default'] },
  })
  const { output } = await build.generate({
    format: 'iife',
    name: 'renderers',
    codeSplitting: false,
  })
  await build.close()
  const browser = await launch()
  try {
    const { complaints, page } = await openPage(browser)
    await page.goto('about:blank')
    await page.addScriptTag({ content: output[0].code })
    const result = await page.evaluate(
      async (names) => {
        const { render, shapeOf } = globalThis as unknown as {
          render: (names: readonly string[], turn: number, root: Element) => void
          shapeOf: (root: Element) => string
        }
        const root = document.body.appendChild(document.createElement('div'))
        render(['USD Coin'], 0, root)
        // The sheets open a moment later.
        await new Promise((resolve) => setTimeout(resolve, 200))
        const usual = shapeOf(root)
        const wrong: string[] = []
        const links = new Set<string>()
        for (let from = 0; from < names.length; from += 8) {
          const some = names.slice(from, from + 8)
          render(some, from / 8, root)
          if (shapeOf(root) !== usual) wrong.push(some.join(' | '))
          for (const { protocol } of root.querySelectorAll('a')) links.add(protocol)
        }
        return {
          wrong,
          links: [...links],
          size: usual.split(' ').length,
          hacked: 'hacked' in globalThis,
        }
      },
      hostileNames(10_000, 2),
    )
    expect(result).toMatchObject({ wrong: [], hacked: false })
    expect(result.size).toBeGreaterThan(200)
    const harmless = ['about:', 'http:', 'https:', ':']
    expect(result.links.filter((link) => !harmless.includes(link))).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
}, 180_000)
