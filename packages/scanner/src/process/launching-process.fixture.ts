/** `node launching-process.fixture.ts SCRIPT` runs it by a launcher, and has nothing to do then. */
import { createLauncher } from './launcher.ts';

const { PATH = '' } = process.env;
const script = process.argv[2] ?? '';
await createLauncher().run('sh', ['-c', script], { cwd: '/', env: { PATH } });
