#!/bin/bash
exit 5
