import { unwrap } from '../../../lab/rest';
import type { RestClient } from '../../../lab/rest';

/** A workflow that a rule of n8n's migration report finds affected. */
export interface Affected {
	rule: string;
	/** The workflow's ID. */
	workflow: string;
}

const REPORT = '/breaking-changes/report';

/**
 * Returns the workflows that n8n's report on the migration to a version finds affected (n8n 2.41.1,
 * dist/modules/breaking-changes). n8n may cache a report; this creates a new one.
 */
export async function createMigrationReport(
	rest: RestClient,
	version: 'v2' | 'v3',
): Promise<Affected[]> {
	const { data } = await rest.post(`${REPORT}/refresh`, undefined, { params: { version } });
	const { report } = unwrap<{ report: { workflowResults: Array<{ ruleId: string }> } }>(data);
	const affectedByRule = report.workflowResults.map(async ({ ruleId: rule }) => {
		const { affectedWorkflows } = unwrap<{ affectedWorkflows: Array<{ id: string }> }>(
			(await rest.get(`${REPORT}/${rule}`)).data,
		);
		return affectedWorkflows.map(({ id }) => ({ rule, workflow: id }));
	});
	return (await Promise.all(affectedByRule)).flat();
}
