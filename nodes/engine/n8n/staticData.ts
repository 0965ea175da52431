// How n8n saves static data.
//
// Relies on: n8n notices an assignment on the top level of static data (n8n-workflow, dist/cjs/observable-object.js) and saves
//   by JSON, which calls `toJSON` of the assigned value (n8n, dist/workflows/workflow-static-data.service.js). There, n8n
//   reads `workflow.staticData.__dataChanged` when it begins to save, and sets it to false once the database has confirmed
//   the write; a failed write is only logged. Contexts have `workflow`, outside their public type.
// Verified on: 2.20.12, 2.33.7, 2.40.7, 2.41.1 (test:generations: triggers); restored after a kill on 2.41.1
//   (test/e2e/triggerActivation.e2e.ts); the mark `__dataChanged` on 2.41.1 (test/engine/n8n/staticData.test.ts).
// If absent: without the call of `toJSON` n8n would save the bare object, and a trigger would restore only its members.
//   Without `workflow` published triggers do not start. If n8n no longer reset the mark, webhooks would answer 503.

import type { IDataObject, Workflow } from 'n8n-workflow';

const CHANGED = '__dataChanged';

const workflowOf = (context: object): Pick<Workflow, 'staticData'> | undefined =>
	'workflow' in context ? (context.workflow as Workflow) : undefined;

/** Whether `observeSaves` works for this context. Does not read the mark: for an observer, that would begin a save. */
export const canObserveSaves = (context: object): boolean =>
	CHANGED in (workflowOf(context)?.staticData ?? {});

/** Calls `onBegin` when n8n begins to save the static data of a context's workflow, and `onEnd` when it is in the database. */
export function observeSaves(context: object, onBegin: () => void, onEnd: () => void): void {
	const workflow = workflowOf(context);
	if (!workflow) return;
	workflow.staticData = new Proxy(workflow.staticData, {
		get(target, name): unknown {
			const value: unknown = Reflect.get(target, name);
			if (name === CHANGED && value === true) onBegin();
			return value;
		},
		set(target, name, value) {
			const isSet = Reflect.set(target, name, value);
			if (name === CHANGED && value === false) onEnd();
			return isSet;
		},
	});
}

/**
 * Returns a value for static data that is serialized only when n8n writes it, which happens far less often than the value
 * changes. Until then, readers in this process get `bare`.
 */
export const serializedOnSave = (bare: IDataObject, toJSON: () => object): IDataObject =>
	Object.defineProperty<IDataObject>({ ...bare }, 'toJSON', { value: toJSON });
