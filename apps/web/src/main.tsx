import './theme/mantine.css';
import '@mantine/notifications/styles.css';
import './theme/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadPreferredLanguage } from './i18n/language.tsx';
import { noteChunkErrors } from './kit/fault/chunk-errors.ts';
import { shareMediaQueries } from './theme/shared-media-queries.ts';

noteChunkErrors();
shareMediaQueries(window);
const root = document.getElementById('root');
const language = await loadPreferredLanguage();
if (root) createRoot(root).render(<App language={language} />);
