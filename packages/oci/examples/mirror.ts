/** Mirrors an image with its signatures and SBOMs: `node mirror.ts SOURCE TARGET`. */
import { copy, type Image, parseImage } from '@portcullis/oci';
import { createTransport, openRepository } from '@portcullis/oci/remote';

const [source, target] = process.argv.slice(2).map(parseImage);
if (!source || !target) throw new Error('usage: node mirror.ts SOURCE TARGET');
const transport = createTransport();
const open = ({ host, repository }: Image) => openRepository({ host, repository, transport });

const { root, bytesMoved, bytesReused } = await copy(open(source), source.reference, open(target), {
  targetTag: target.reference,
  includeReferrers: true,
});
console.log(`${root.digest}: ${bytesMoved} bytes transferred, ${bytesReused} already present`);
transport.close();
