/** The rules of the admission webhook of Kubernetes. */
export * from './admission-answer.ts';
export * from './admission-path.ts';
export * from './admission-review.ts';
export * from './cluster-report.ts';
export * from './credential-request.ts';
export * from './foreign-image.ts';
export * from './image-place.ts';
export * from './pod-images.ts';
export * from './pod-runs.ts';
export * from './started-images.ts';
