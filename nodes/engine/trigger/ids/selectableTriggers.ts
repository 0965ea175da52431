import type { FunctionsBase, IHookFunctions, INodeType } from 'n8n-workflow';

import type { Service } from '../../http/types';
import { perProcess } from '../../n8n/perProcess';
import { isIdTrigger, registry, triggerNodeOf } from '../common/registry';
import type { TriggerNode } from '../common/registry';

/** A published trigger with a webhook that users can select to submit IDs to. */
export interface SelectableTrigger extends TriggerNode {
	/** "Workflow › Node", by their display names. */
	name: string;
	/** Type and ID of its credential. */
	credentialKey: string;
	/** The production URL of its webhook. */
	url: string;
}

/** The triggers whose webhooks n8n has opened in this process, by URL. */
const selectableTriggers = perProcess(
	'selectable triggers 1',
	() => new Map<string, SelectableTrigger>(),
);

type Hooks = NonNullable<INodeType['webhookMethods']>;

const urlOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default') ?? '';

/**
 * Returns the methods that n8n calls when it opens and closes a trigger's webhook. They register nothing with a service;
 * they only store the production URL, because n8n 2.41.1 otherwise shows a node this URL only when a request arrives.
 * `checkExists` stores the URL and returns true, so n8n never calls `create`. n8n calls these methods for test URLs, too:
 * `checkExists` ignores a test URL, and `delete` finds no entry for it.
 */
export const webhookMethodsFor = (service: Service): NonNullable<Hooks['default']> => ({
	async checkExists(this: IHookFunctions): Promise<boolean> {
		if (this.getActivationMode() === 'manual') return true;
		const url = urlOf(this);
		selectableTriggers.set(url, {
			...triggerNodeOf(this),
			name: `${this.getWorkflow().name ?? ''} › ${this.getNode().name}`,
			credentialKey: credentialKeyOf(this, service) ?? '',
			url,
		});
		return true;
	},
	async create(this: IHookFunctions): Promise<boolean> {
		return true;
	},
	async delete(this: IHookFunctions): Promise<boolean> {
		selectableTriggers.delete(urlOf(this));
		return true;
	},
});

/** Returns the triggers that run in this process and accept IDs from a node with the same credential, sorted by name. */
export function selectableTriggersFor(
	context: Pick<FunctionsBase, 'getNode'>,
	service: Service,
): SelectableTrigger[] {
	const credentialKey = credentialKeyOf(context, service);
	return [...selectableTriggers.values()]
		.filter((node) => node.credentialKey === credentialKey && acceptsIds(node))
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns type and ID of a node's credential, if it has one. */
function credentialKeyOf(
	context: Pick<FunctionsBase, 'getNode'>,
	{ credentialType: type }: Service,
): string | undefined {
	const id = context.getNode().credentials?.[type]?.id;
	return id ? `${type} ${id}` : undefined;
}

function acceptsIds(node: TriggerNode): boolean {
	const trigger = registry.find(node);
	return trigger !== undefined && isIdTrigger(trigger);
}
