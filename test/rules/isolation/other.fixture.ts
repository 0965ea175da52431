import { leaveThingsBehind } from './leaves';

leaveThingsBehind('other');
