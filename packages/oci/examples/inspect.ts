/** Lists the manifests and layers of an image: `node inspect.ts IMAGE`. */
import { parseImage, parseManifest, platformName, successors } from '@portcullis/oci';
import { createTransport, openRepository, type Repository } from '@portcullis/oci/remote';

const { host, repository, reference } = parseImage(process.argv[2] ?? '');
const transport = createTransport();
await inspect(openRepository({ host, repository, transport }), reference, '');
transport.close();

async function inspect(opened: Repository, name: string, indent: string): Promise<void> {
  const { descriptor, bytes } = await opened.manifest(name);
  const document = await parseManifest(bytes, descriptor.mediaType);
  console.log(`${indent}${document.kind} ${descriptor.digest}`);
  for (const child of successors(document)) {
    const platform = child.platform ? ` (${platformName(child.platform)})` : '';
    console.log(`${indent}  ${child.digest} ${child.size} ${child.mediaType}${platform}`);
    if (document.kind === 'index') await inspect(opened, child.digest, `${indent}    `);
  }
}
