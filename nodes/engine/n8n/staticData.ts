// How n8n saves static data.
//
// Relies on: n8n notices an assignment on the top level of static data (n8n-workflow, dist/cjs/observable-object.js) and saves
//   by JSON, which calls `toJSON` of the assigned value (n8n, dist/workflows/workflow-static-data.service.js).
// Verified on: 2.20.12, 2.33.7, 2.40.7, 2.41.1 (test:generations: triggers); restored after a kill on 2.41.1
//   (test/e2e/triggerActivation.e2e.ts).
// If absent: without the call of `toJSON` n8n would save the bare object, and a trigger would restore only its members.

import type { IDataObject } from 'n8n-workflow';

/**
 * Returns a value for static data that is serialized only when n8n writes it, which happens far less often than the value
 * changes. Until then, readers in this process get `bare`.
 */
export const serializedOnSave = (bare: IDataObject, toJSON: () => object): IDataObject =>
	Object.defineProperty<IDataObject>({ ...bare }, 'toJSON', { value: toJSON });
