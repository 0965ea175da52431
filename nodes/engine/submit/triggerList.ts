import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Service } from '../http/types';
import { offersFor } from '../trigger/ids/offers';

/**
 * The list of triggers to hand over to: those that run in this process and have the node's own credential. n8n lets nobody
 * name a credential here that they may not see, so it shows no one else's workflows; and it is for these triggers that
 * handing over needs no set-up.
 */
export const searchTriggers = (service: Service) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const wanted = filter.trim().toLowerCase();
		return {
			results: offersFor(this, service)
				.filter(({ name, url }) => `${name} ${url}`.toLowerCase().includes(wanted))
				.map(({ name, url, workflow }) => ({
					name,
					value: url,
					url: `${this.getInstanceBaseUrl()}workflow/${encodeURIComponent(workflow)}`,
				})),
		};
	};
