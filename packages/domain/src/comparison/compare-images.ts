/** Compares two images: packages, findings, layers, size and configuration. */
import { inSlices, type Steps } from '@portcullis/oci';
import type { Vulnerability } from '../policy/vulnerability.ts';
import {
  type ComparableConfiguration,
  type ConfigurationComparison,
  compareConfigurations,
} from './configuration.ts';
import { compareFindings, type FindingComparison } from './findings.ts';
import { type ComparableLayer, compareLayers, type LayerComparison } from './layers.ts';
import { comparePackages, type PackageComparison, type PackageVersion } from './packages.ts';

export interface ComparableImage {
  /** In bytes, with everything it refers to. */
  size: number;
  layers: readonly ComparableLayer[];
  configuration: ComparableConfiguration;
  /** Null without a list of its packages. */
  packages: readonly PackageVersion[] | null;
  /** Null without a report. */
  vulnerabilities: readonly Vulnerability[] | null;
}

export interface ImageDifferences {
  /** By how many bytes the second image is larger. */
  growth: number;
  layers: LayerComparison;
  configuration: ConfigurationComparison;
  /** Null where either image has no list: nothing is inferred from a list that is missing. */
  packages: PackageComparison | null;
  /** Null where either image has no report. */
  findings: FindingComparison | null;
}

export function compareImages(
  from: ComparableImage,
  to: ComparableImage,
): Promise<ImageDifferences> {
  return inSlices(compareSteps(from, to));
}

function* compareSteps(from: ComparableImage, to: ComparableImage): Steps<ImageDifferences> {
  return {
    growth: to.size - from.size,
    layers: compareLayers(from.layers, to.layers),
    configuration: compareConfigurations(from.configuration, to.configuration),
    packages: from.packages && to.packages && (yield* comparePackages(from.packages, to.packages)),
    findings:
      from.vulnerabilities &&
      to.vulnerabilities &&
      compareFindings(from.vulnerabilities, to.vulnerabilities),
  };
}
