/** Adds a tag to an image without pulling it: `node retag.ts IMAGE TAG`. */
import { parseImage, parseTag } from '@portcullis/oci';
import { createTransport, openRepository } from '@portcullis/oci/remote';

const [image, tag] = process.argv.slice(2);
if (!image || !tag) throw new Error('usage: node retag.ts IMAGE TAG');
const { host, repository, reference } = parseImage(image);
const transport = createTransport();
const opened = openRepository({ host, repository, transport });

const descriptor = await opened.resolve(reference);
await opened.tag(descriptor, parseTag(tag));
console.log(`${host}/${repository}:${tag} is ${descriptor.digest}`);
transport.close();
