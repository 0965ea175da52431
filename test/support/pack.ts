import type { ICredentialType, INodeType } from 'n8n-workflow';

import { EventDataApi } from '../../credentials/EventDataApi.credentials';
import { EventRegistrationApi } from '../../credentials/EventRegistrationApi.credentials';
import { PasswordlessIdentityApi } from '../../credentials/PasswordlessIdentityApi.credentials';
import { TwoFactorApi } from '../../credentials/TwoFactorApi.credentials';
import { EventData } from '../../nodes/EventData/EventData.node';
import { service as eventData } from '../../nodes/EventData/service';
import { EventRegistration } from '../../nodes/EventRegistration/EventRegistration.node';
import { service as eventRegistration } from '../../nodes/EventRegistration/service';
import { PasswordlessIdentity } from '../../nodes/PasswordlessIdentity/PasswordlessIdentity.node';
import { service as passwordlessIdentity } from '../../nodes/PasswordlessIdentity/service';
import { service as twoFactor } from '../../nodes/TwoFactor/service';
import { TwoFactor } from '../../nodes/TwoFactor/TwoFactor.node';
import type { Catalog } from '../../nodes/engine/operation';

/** One service of the pack, with everything that tests walk through. */
export interface Part {
	/** The contract's file name without its ending. */
	contract: string;
	service: Catalog;
	Node: new () => INodeType;
	Credential: new () => ICredentialType;
}

/** The pack's services. A contract without a part here is reported as not built yet. */
export const parts: Part[] = [
	{ contract: 'eventData', service: eventData, Node: EventData, Credential: EventDataApi },
	{
		contract: 'eventRegistration',
		service: eventRegistration,
		Node: EventRegistration,
		Credential: EventRegistrationApi,
	},
	{
		contract: 'passwordlessIdentity',
		service: passwordlessIdentity,
		Node: PasswordlessIdentity,
		Credential: PasswordlessIdentityApi,
	},
	{ contract: 'twoFactor', service: twoFactor, Node: TwoFactor, Credential: TwoFactorApi },
];
