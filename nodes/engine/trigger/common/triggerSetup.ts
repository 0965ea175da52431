import type { ITriggerFunctions } from 'n8n-workflow';

import type { Service } from '../../http/types';
import type { RenewedConnection } from './renewedConnection';

/** The dependencies of every trigger, in a published workflow and in a test run. */
export interface TriggerSetup {
	readonly context: ITriggerFunctions;
	readonly definition: { readonly service: Service };
	readonly connection: RenewedConnection;
}

/** Whether a user publishes or changes the workflow; false if n8n merely starts it again. */
export const isPublishing = (context: ITriggerFunctions): boolean =>
	['activate', 'create', 'update'].includes(context.getActivationMode());
