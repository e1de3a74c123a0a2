import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunks } from './build/chunks.ts';
import { guide } from './build/guide.ts';
import { limits } from './build/limits.ts';
import { mantineStyles } from './build/mantine-styles.ts';
import { operations } from './build/operations.ts';
import { precompress } from './build/precompress.ts';

/** The files that every page begins with need no preload. */
const FIRST = /^assets\/(?:start|rolldown-runtime)-/;

function loadedLater(_: string, files: string[]): string[] {
  return files.filter((file) => !FIRST.test(file));
}

export default defineConfig({
  plugins: [react(), operations(), limits(), guide(), mantineStyles(), precompress()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: loadedLater },
    chunkSizeWarningLimit: 900,
    rolldownOptions: { output: { codeSplitting: chunks() } },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
