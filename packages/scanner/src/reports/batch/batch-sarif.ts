/**
 * The SARIF 2.1.0 document of many images. The first run is that of the batch: a result for each
 * blocked image, a notification for each one that failed or was cancelled. The runs of the images
 * follow as they are: they name their image and have a category each.
 */
import { type Document, objectWith, textMember } from '../report-part.ts';
import { type BatchImage, type ImageBatch, membersOf } from './batch.ts';

const HEAD = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0' };
const TOOL = 'portcullis';

export async function* batchSarif(batch: ImageBatch): Document {
  yield* objectWith(HEAD, [textMember('runs', runsOf(batch))]);
}

/** A run of an image may have megabytes, so it is not parsed. */
async function* runsOf(batch: ImageBatch): AsyncGenerator<string> {
  yield JSON.stringify(batchRun(batch));
  for (const image of batch.images) {
    const document = await image.open();
    if ('fault' in document) {
      if (document.fault !== null) yield JSON.stringify(faultRun(batch, image, document.fault));
      continue;
    }
    for await (const { text } of membersOf(image, 'runs')) yield text;
  }
}

function batchRun({ category, name, images }: ImageBatch): object {
  const blocked = images.filter(({ outcome }) => outcome === 'blocked');
  const stopped = images.filter(({ outcome }) => outcome === 'failed' || outcome === 'cancelled');
  const codes = [...new Set(blocked.map(codeOf))];
  return {
    tool: { driver: { name: TOOL, rules: codes.map((id) => ({ id })) } },
    automationDetails: { id: `${TOOL}/${category}/`, description: { text: name } },
    invocations: [
      {
        executionSuccessful: stopped.length === 0,
        toolExecutionNotifications: stopped.map((image) => ({
          level: image.outcome === 'failed' ? 'error' : 'note',
          message: { text: `${image.name}: ${image.reason ?? image.outcome}` },
          properties: propertiesOf(image),
        })),
      },
    ],
    results: blocked.map((image) => ({
      ruleId: codeOf(image),
      ruleIndex: codes.indexOf(codeOf(image)),
      level: 'error',
      message: { text: `${image.name}: ${image.reason ?? codeOf(image)}` },
      locations: [{ physicalLocation: { artifactLocation: { uri: image.repository } } }],
      properties: propertiesOf(image),
    })),
  };
}

/** An image whose report could not be had. */
function faultRun({ category }: ImageBatch, image: BatchImage, fault: string): object {
  return {
    tool: { driver: { name: TOOL } },
    automationDetails: { id: `${TOOL}/${category}/${image.name}/` },
    invocations: [
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          { level: 'error', message: { text: `${image.name}: ${fault}` } },
        ],
      },
    ],
    results: [],
    properties: { imageName: image.name },
  };
}

function codeOf({ code, outcome }: BatchImage): string {
  return code ?? outcome;
}

function propertiesOf({ name, outcome, code }: BatchImage): object {
  return { imageName: name, outcome, ...(code !== null && { code }) };
}
