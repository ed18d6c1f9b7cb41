import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Starts the system's Chromium, with further arguments; `npm test` installs one if there is none. */
export async function launch(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? programs.find(existsSync)
  if (executablePath === undefined)
    throw new Error('Chromium is not installed; name it in CHROMIUM, or install the package.')
  // Chromium refuses its sandbox to root. The tests open only our own pages.
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', ...args],
  })
}
