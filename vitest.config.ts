import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['development'] } },
  resolve: { conditions: ['development'] },
  test: {
    setupFiles: ['e2e/lib/setup.ts'],
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'tools/**/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    // What is polled for comes when the machine gets to it; a second is too short beside other work.
    expect: { poll: { timeout: 20_000 } },
  },
})
