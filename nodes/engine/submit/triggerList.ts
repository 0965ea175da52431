import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Service } from '../http/types';
import { selectableTriggersFor } from '../trigger/ids/selectableTriggers';

/**
 * Creates n8n's `listSearch` method for the triggers that an ID can be submitted to: those that run in this process and use
 * the node's credential. They accept IDs from the node without a Trigger Secret. n8n rejects a credential that the user may
 * not access, so the list names only workflows that use a credential of this user or one shared with them.
 */
export const searchTriggers = (service: Service) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const query = filter.trim().toLowerCase();
		return {
			results: selectableTriggersFor(this, service)
				.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(query))
				.map(({ name, url, workflowId }) => ({
					name,
					value: url,
					url: `${this.getInstanceBaseUrl()}workflow/${encodeURIComponent(workflowId)}`,
				})),
		};
	};
