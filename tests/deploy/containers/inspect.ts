/** Inspects a built image by its files, independently of its Dockerfile. */
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { buildah, mounted, podman } from './engine.ts';
import { platformOf, TARGET } from './platform.ts';
import { LOCKED_DOWN } from './product.ts';

const ELF = Buffer.from('\x7fELF', 'latin1');
const MACHINE_AT = 18;

/** Starts each of `programs` to print its version. Returns the findings as text. */
export async function inspect(tag: string, programs: readonly string[]): Promise<string> {
  const format = '{{.OCIv1.OS}}/{{.OCIv1.Architecture}}';
  const platform = (await buildah('inspect', '--type', 'image', '--format', format, tag)).trim();
  if (platform !== platformOf(TARGET)) throw new Error(`${tag} is for ${platform}`);
  const programFiles = await mounted(tag, elfFiles);
  const wrong = programFiles.filter(({ machine }) => machine !== TARGET.machine);
  if (wrong.length > 0)
    throw new Error(`${tag} has files of other machines: ${wrong.map(({ file }) => file)}`);
  const native = programFiles.filter(({ file }) => file.startsWith('/app/'));
  const versions: string[] = [];
  for (const program of programs) {
    const said = await podman('run', '--rm', ...LOCKED_DOWN, tag, program, '--version');
    versions.push(`${program} says ${said.trim().split('\n')[0]}`);
  }
  const size = (await buildah('images', '--format', '{{.Size}}', tag)).trim();
  const counted = `${programFiles.length} ELF files, all of ${TARGET.qemu}, ${native.length} of them in /app`;
  return [platform, size, counted, ...versions].join('; ');
}

async function elfFiles(root: string): Promise<{ file: string; machine: number }[]> {
  const found: { file: string; machine: number }[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const machine = await machineOf(file);
    if (machine !== null) found.push({ file: file.slice(root.length), machine });
  }
  return found;
}

async function machineOf(file: string): Promise<number | null> {
  await using opened = await open(file);
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(MACHINE_AT + 2));
  const isElf = bytesRead === buffer.length && buffer.subarray(0, ELF.length).equals(ELF);
  return isElf ? buffer.readUInt16LE(MACHINE_AT) : null;
}
